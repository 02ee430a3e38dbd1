-- CreateTable
CREATE TABLE "pool" (
    "name" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pool_pkey" PRIMARY KEY ("name")
);

-- AlterTable
ALTER TABLE "run" ADD COLUMN "host" TEXT;

-- A time that no reader could read is taken by no table.
ALTER TABLE "pool" ADD CONSTRAINT "pool_seen_at_readable"
    CHECK ("seen_at" >= '0001-01-01 00:00:00Z' AND "seen_at" < '10000-01-01 00:00:00Z');
