-- AlterTable
ALTER TABLE "goal" ADD COLUMN     "driver" TEXT;

-- CreateTable
CREATE TABLE "session_report" (
    "goal_id" TEXT NOT NULL,
    "report_id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "turn" INTEGER,
    "body" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_report_pkey" PRIMARY KEY ("goal_id","report_id")
);

-- CreateIndex
CREATE INDEX "session_report_goal_id_turn_idx" ON "session_report"("goal_id", "turn");
