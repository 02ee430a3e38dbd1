-- AlterTable
ALTER TABLE "step" ADD COLUMN     "request" JSONB;

-- CreateTable
CREATE TABLE "sent_prompt" (
    "hash" TEXT NOT NULL,
    "system" TEXT NOT NULL,
    "tools" JSONB NOT NULL,

    CONSTRAINT "sent_prompt_pkey" PRIMARY KEY ("hash")
);
