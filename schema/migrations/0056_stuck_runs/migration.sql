-- AlterTable
ALTER TABLE "run" ADD COLUMN "version" TEXT;

-- CreateTable
CREATE TABLE "stuck_run" (
    "goal_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "failure" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stuck_run_pkey" PRIMARY KEY ("goal_id")
);

-- A time that no reader could read is taken by no table.
ALTER TABLE "stuck_run" ADD CONSTRAINT "stuck_run_since_readable"
    CHECK ("since" >= '0001-01-01 00:00:00Z' AND "since" < '10000-01-01 00:00:00Z');
