-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "goal_revision" INTEGER NOT NULL DEFAULT 1;

UPDATE "journal" j SET "goal_revision" = g."revision" FROM "goal" g WHERE g."goal_id" = j."goal_id";

-- CreateIndex
CREATE INDEX "step_sent" ON "step"("goal_id") WHERE "state" = 'sent';
