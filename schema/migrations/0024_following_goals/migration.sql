-- CreateTable
CREATE TABLE "following_goals" (
    "goal_id" TEXT NOT NULL,
    "goals" JSONB NOT NULL,
    "begun_goal_id" TEXT,
    "refused" TEXT,

    CONSTRAINT "following_goals_pkey" PRIMARY KEY ("goal_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "following_goals_begun_goal_id_key" ON "following_goals"("begun_goal_id");
