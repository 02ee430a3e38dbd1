-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "attempt_active_ms" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "step" ADD COLUMN     "estimated_cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
ADD COLUMN     "estimated_output" INTEGER NOT NULL DEFAULT 0;
