-- A row that a reader can't read fails all that are read with it, so none may stand there: each time is
-- one that has a day, each number is one that counts exactly, each JSON has the shape of its column.
-- Rows from before are compared when they change.
DO $$
DECLARE
    col RECORD;
    rule TEXT;
BEGIN
    FOR col IN
        SELECT c.relname AS tab, a.attname AS name, t.typname AS kind
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
            AND a.attnum > 0 AND NOT a.attisdropped AND t.typname IN ('timestamptz', 'int8', 'numeric')
            AND c.relname <> '_prisma_migrations'
        ORDER BY 1, 2
    LOOP
        rule := CASE col.kind
            WHEN 'timestamptz' THEN '%1$I >= ''0001-01-01 00:00:00Z'' AND %1$I < ''10000-01-01 00:00:00Z'''
            WHEN 'int8' THEN '%1$I BETWEEN -9007199254740991 AND 9007199254740991'
            ELSE '%1$I <> ''NaN'''
        END;
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (' || format(rule, col.name) || ') NOT VALID',
            col.tab, left(col.tab || '_' || col.name, 52) || '_readable');
    END LOOP;
END;
$$;

-- `texts`, `objects`: arrays of them. JSON's own null stands for none, as SQL's does.
CREATE FUNCTION "has_shape"(held JSONB, shape TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN held IS NULL OR jsonb_typeof(held) = 'null' THEN TRUE
        WHEN shape = 'texts' THEN jsonb_typeof(held) = 'array'
            AND NOT jsonb_path_exists(held, 'strict $[*] ? (@.type() != "string")')
        WHEN shape = 'objects' THEN jsonb_typeof(held) = 'array'
            AND NOT jsonb_path_exists(held, 'strict $[*] ? (@.type() != "object")')
        ELSE jsonb_typeof(held) = shape
    END
$$;

DO $$
DECLARE
    col RECORD;
BEGIN
    FOR col IN
        SELECT * FROM (VALUES
            ('goal', 'snapshot', 'object'), ('goal', 'counters', 'object'),
            ('goal', 'pause', 'object'), ('goal', 'activity', 'object'),
            ('goal', 'completion', 'object'), ('goal', 'criteria', 'objects'),
            ('goal', 'attachments', 'objects'), ('goal', 'baseline', 'object'),
            ('goal', 'budget', 'object'), ('goal', 'policy', 'object'), ('goal', 'scope', 'object'),
            ('goal', 'setup', 'texts'), ('goal', 'tool_rules', 'objects'),
            ('goal', 'notify', 'objects'), ('delegate', 'files', 'texts'),
            ('delegate', 'reserved', 'object'), ('delegate', 'outcome', 'object'),
            ('following_goals', 'goals', 'objects'), ('worker', 'task_queues', 'texts'),
            ('worker', 'models', 'texts'), ('worker', 'tools', 'texts'),
            ('worker', 'refused', 'objects'), ('session', 'identity', 'object'),
            ('token', 'workspaces', 'texts'), ('token', 'templates', 'objects'),
            ('schedule', 'cadence', 'object'), ('schedule', 'action', 'object'),
            ('stored_rule', 'covers', 'object'), ('approval', 'data', 'object'),
            ('question', 'options', 'texts'), ('dispute', 'body', 'object'),
            ('inbound_trigger', 'action', 'object'), ('trigger_delivery', 'act', 'object'),
            ('trigger_delivery', 'outcome', 'object'), ('trigger_delivery', 'sight', 'object'),
            ('election', 'spec', 'object'), ('todo_list', 'items', 'objects'),
            ('requirement_list', 'items', 'objects'), ('workspace', 'result', 'object'),
            ('security_log', 'data', 'object'), ('event', 'data', 'object')
        ) AS shapes(tab, name, shape)
    LOOP
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK ("has_shape"(%I, %L)) NOT VALID',
            col.tab, col.tab || '_' || col.name || '_shape', col.name, col.shape);
    END LOOP;
END;
$$;

-- Lists sort and count by these: a text that is no time, or no number, would fail them for everybody.
ALTER TABLE "goal" ADD CONSTRAINT "goal_activity_has_times" CHECK (
    coalesce(("activity"->>'since')::timestamptz < '10000-01-01 00:00:00Z', TRUE)
    AND coalesce(("activity"->>'until')::timestamptz < '10000-01-01 00:00:00Z', TRUE)
) NOT VALID;
ALTER TABLE "goal" ADD CONSTRAINT "goal_budget_has_numbers" CHECK (
    coalesce(("budget"->>'tokens')::numeric BETWEEN 0 AND 1e18, TRUE)
    AND coalesce(("budget"->>'costUsd')::numeric BETWEEN 0 AND 1e18, TRUE)
    AND coalesce(("budget"->>'turns')::numeric BETWEEN 0 AND 1e18, TRUE)
    AND coalesce(("budget"->>'activeSeconds')::numeric BETWEEN 0 AND 1e18, TRUE)
) NOT VALID;

-- With a key: of what a wait saw last, and of how it ended.
ALTER TABLE "election" ADD COLUMN "seal" TEXT;
