-- AlterTable
ALTER TABLE "goal" ADD COLUMN     "text_tokens" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "election" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "call_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "seconds" INTEGER,
    "until" TIMESTAMPTZ(3),
    "refusal" JSONB,
    "looks" INTEGER NOT NULL DEFAULT 0,
    "looked_at" TIMESTAMPTZ(3),
    "seen" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "election_pkey" PRIMARY KEY ("goal_id","turn")
);
