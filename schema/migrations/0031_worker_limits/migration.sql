-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "limited_by" TEXT NOT NULL DEFAULT 'counting';
