-- CreateTable
CREATE TABLE "criterion_baseline" (
    "goal_id" TEXT NOT NULL,
    "criterion_id" TEXT NOT NULL,
    "body" JSONB NOT NULL,

    CONSTRAINT "criterion_baseline_pkey" PRIMARY KEY ("goal_id","criterion_id")
);

-- CreateTable
CREATE TABLE "basis_text" (
    "goal_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "basis_text_pkey" PRIMARY KEY ("goal_id","sha256")
);

-- CreateTable
CREATE TABLE "basis_change" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "changes" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "basis_change_pkey" PRIMARY KEY ("goal_id","turn")
);
