-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "repeated_call_id" TEXT;
