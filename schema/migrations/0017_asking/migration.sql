-- AlterTable
ALTER TABLE "goal" ADD COLUMN     "notify" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "tool_rules" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "question" ADD COLUMN     "default_answer" TEXT;

-- CreateTable
CREATE TABLE "notification" (
    "notification_id" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "is_addressed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("notification_id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "notification_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_status" INTEGER,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("notification_id","url")
);

-- CreateIndex
CREATE INDEX "notification_is_addressed_created_at_idx" ON "notification"("is_addressed", "created_at");

-- CreateIndex
CREATE INDEX "notification_goal_id_idx" ON "notification"("goal_id");

-- CreateIndex
CREATE INDEX "delivery_state_next_at_idx" ON "delivery"("state", "next_at");

-- CreateIndex
CREATE INDEX "delivery_goal_id_idx" ON "delivery"("goal_id");
