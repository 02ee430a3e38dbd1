-- AlterTable
ALTER TABLE "goal" ADD COLUMN     "caller_trace" TEXT;
