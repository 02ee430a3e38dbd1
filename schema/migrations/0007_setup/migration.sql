-- Commands that install what a proof needs, as the caller said.
ALTER TABLE "goal" ADD COLUMN "setup" JSONB;
