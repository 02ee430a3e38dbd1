-- CreateTable
CREATE TABLE "installation" (
    "installation_id" TEXT NOT NULL,
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("installation_id"),
    CONSTRAINT "installation_single" CHECK ("is_only")
);

-- CreateIndex
CREATE UNIQUE INDEX "installation_is_only_key" ON "installation"("is_only");

-- Who this record belongs to, for as long as it lives.
INSERT INTO "installation" ("installation_id")
VALUES (left(replace(gen_random_uuid()::text, '-', ''), 16));

-- Queues follow from the installation and the host. Processes of the version before still read it.
ALTER TABLE "workspace" ALTER COLUMN "task_queue" DROP NOT NULL;
