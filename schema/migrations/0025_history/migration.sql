-- AlterTable
ALTER TABLE "session" ADD COLUMN     "console_hash" TEXT;

-- CreateTable
CREATE TABLE "run" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "run_id" TEXT NOT NULL,
    "first_turn" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_pkey" PRIMARY KEY ("goal_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_goal_id_run_id_key" ON "run"("goal_id", "run_id");

-- CreateIndex
CREATE INDEX "commit_goal_id_revision_idx" ON "commit"("goal_id", "revision" DESC);

-- Of goals that are older than this table, the run that holds them now is the one that is known.
INSERT INTO "run" ("goal_id", "number", "epoch", "run_id", "first_turn", "opened_at")
SELECT "goal_id", 1, "epoch", "run_id", 1, "created_at" FROM "goal" WHERE "run_id" IS NOT NULL;
