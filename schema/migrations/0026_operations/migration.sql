-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "is_draining" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "slices" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "slots" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tools" JSONB NOT NULL DEFAULT '[]';

-- CreateIndex
CREATE INDEX "step_started_at_idx" ON "step" USING BRIN ("started_at");
