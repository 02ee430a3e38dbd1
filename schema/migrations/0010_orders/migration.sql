-- CreateTable
CREATE TABLE "goal_order" (
    "goal_id" TEXT NOT NULL,
    "commit_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "role" TEXT NOT NULL,
    "ordered_by" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "goal_order_pkey" PRIMARY KEY ("goal_id","commit_id")
);

-- CreateTable
CREATE TABLE "check_order" (
    "check_id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "criterion" JSONB NOT NULL,
    "network" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "ordered_by" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "taken_at" TIMESTAMPTZ(3),

    CONSTRAINT "check_order_pkey" PRIMARY KEY ("check_id")
);

-- What was ordered is only ever added to.
CREATE FUNCTION "refuse_order_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'orders are append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "goal_order_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "goal_order"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_order_change"();
