-- CreateTable
CREATE TABLE "call_stop" (
    "goal_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "asked_by" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_stop_pkey" PRIMARY KEY ("goal_id","call_id")
);
