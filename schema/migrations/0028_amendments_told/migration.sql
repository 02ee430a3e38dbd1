-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "amended_revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "told_revision" INTEGER NOT NULL DEFAULT 0;
