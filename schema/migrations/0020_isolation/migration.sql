-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "isolation" TEXT;

-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "isolation" TEXT NOT NULL DEFAULT 'none';

-- What ran before ran without a sandbox.
UPDATE "journal" SET "isolation" = 'none' WHERE "ledger_seq" > 0;
