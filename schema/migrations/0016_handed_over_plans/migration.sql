-- AlterTable
ALTER TABLE "goal" ADD COLUMN "planned_by" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "goal_planned_by_key" ON "goal"("planned_by");
