-- Runs from before payloads to Temporal were encrypted are replaced by runs of a new epoch.
ALTER TABLE "run" ADD COLUMN "is_sealed" BOOLEAN NOT NULL DEFAULT false;
-- Id of the key by which a worker encrypts them.
ALTER TABLE "worker" ADD COLUMN "temporal_key" TEXT;
