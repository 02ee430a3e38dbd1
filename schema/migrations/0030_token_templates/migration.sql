-- AlterTable
ALTER TABLE "token" ADD COLUMN     "templates" JSONB;
