-- CreateTable
CREATE TABLE "pool" (
    "name" TEXT NOT NULL,
    "machine" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pool_pkey" PRIMARY KEY ("name")
);

-- AlterTable
ALTER TABLE "run" ADD COLUMN "host" TEXT;
