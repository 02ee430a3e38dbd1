-- AlterTable
ALTER TABLE "goal" ADD COLUMN     "detects_criteria" BOOLEAN NOT NULL DEFAULT false;
