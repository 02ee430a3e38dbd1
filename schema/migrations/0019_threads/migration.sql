-- AlterTable
ALTER TABLE "goal" ADD COLUMN "continues" TEXT;
