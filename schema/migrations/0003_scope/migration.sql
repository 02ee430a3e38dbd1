-- Which files are the work, as the caller said.
ALTER TABLE "goal" ADD COLUMN "scope" JSONB;
