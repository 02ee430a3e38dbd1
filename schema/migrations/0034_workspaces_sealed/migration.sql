-- AlterTable
ALTER TABLE "criterion_baseline" ADD COLUMN     "seal" TEXT;

-- CreateTable
CREATE TABLE "workspace_seal" (
    "name" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "seal" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_seal_pkey" PRIMARY KEY ("name","number")
);

-- No former place of a workspace comes back, whoever kept its seal.
CREATE TRIGGER "workspace_seal_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "workspace_seal"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
