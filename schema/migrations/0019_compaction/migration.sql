-- AlterTable
ALTER TABLE "step" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'turn';

UPDATE "step" SET "kind" = 'review' WHERE "step" >= 100000;

-- CreateTable
CREATE TABLE "compaction" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "turn" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "shown" JSONB NOT NULL,
    "notes" TEXT,
    "notes_by" TEXT,
    "replaced_through" INTEGER NOT NULL,
    "tokens_before" INTEGER NOT NULL,
    "tokens_after" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compaction_pkey" PRIMARY KEY ("goal_id","number")
);
