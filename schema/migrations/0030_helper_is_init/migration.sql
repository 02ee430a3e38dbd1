-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "helper_is_init" BOOLEAN NOT NULL DEFAULT false;
