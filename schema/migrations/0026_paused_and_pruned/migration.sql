-- AlterTable
ALTER TABLE "inbound_trigger" ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_by" TEXT;

-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "events_pruned_to" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "trigger_delivery" ADD COLUMN     "pruned_at" TIMESTAMPTZ(3),
ADD COLUMN     "repeats" INTEGER NOT NULL DEFAULT 0;

-- Settled deliveries that still say what they did.
CREATE INDEX "trigger_delivery_kept_idx" ON "trigger_delivery"("settled_at", "delivery_id") WHERE "pruned_at" IS NULL;
