-- AlterTable
ALTER TABLE "sealed_criterion" ADD COLUMN "workspaces" JSONB;
