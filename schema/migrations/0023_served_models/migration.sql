-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "models" JSONB NOT NULL DEFAULT '[]';
