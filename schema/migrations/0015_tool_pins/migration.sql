-- CreateTable
CREATE TABLE "tool_pin" (
    "workspace" TEXT NOT NULL,
    "server" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "hash" TEXT,
    "definition" JSONB,
    "pinned_by" TEXT,
    "pinned_at" TIMESTAMPTZ(3),
    "offered_hash" TEXT,
    "offered" JSONB,
    "offered_at" TIMESTAMPTZ(3),

    CONSTRAINT "tool_pin_pkey" PRIMARY KEY ("workspace","tool")
);
