// Made by "npx tsx scripts/api-types.ts" from the service's own OpenAPI document.

export interface paths {
    "/v1/goals/{goalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One goal, by its id or a unique beginning of it */
        get: operations["getGoal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change objective, criteria, budget, model, policy or webhooks; id and usage stay */
        patch: operations["amendGoal"];
        trace?: never;
    };
    "/v1/goals/{goalId}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer the open question */
        post: operations["answerQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls, newest first: the two rows of each in the ledger as one */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/calls/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One call by the number of either of its rows, with what the model saw of its output */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/chain/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel the wakes that the model asked for: a goal that waits for one pauses */
        post: operations["cancelChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive the goal; its record stays */
        post: operations["clearGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person declares the goal complete */
        post: operations["completeGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many goals there are, by status and by who acts next */
        get: operations["countGoals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve or deny, once */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{threadId}/goal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current goal of a thread */
        get: operations["getThreadGoal"];
        /** Give a thread its goal; expectedGoalId says what is there now */
        put: operations["putThreadGoal"];
        post?: never;
        /** Clear the current goal of a thread; its record stays */
        delete: operations["deleteThreadGoal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the gate said last, and how each criterion stands */
        get: operations["getGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/ledger/{seq}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The output of a call, whole or a part of it, as bytes */
        get: operations["getOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plan as the model last wrote it; null where it wrote none */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/question": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The open question, if there is one */
        get: operations["getQuestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Turns without their texts, newest first: what a picture of the whole goal needs */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/todos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The canonical todo list, and what was written after an item was signed off */
        get: operations["getTodos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was used, of what is allowed: turn by turn, call by call, and added up from the calls */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/delegates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom the goal handed work to, and whom they did: what became of it and what it cost */
        get: operations["listDelegates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits for the decision of a person */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Goals, in pages, sorted, grouped by who acts next if asked for */
        get: operations["listGoals"];
        put?: never;
        /** Start a goal, or replace the current one of its thread */
        post: operations["startGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ledger; its first page says whether the hash chain holds */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models that the service knows by its settings, and whether they can be used */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was told to webhooks, newest first, and what became of each delivery */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Turns with their decision records and messages */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Workers and when they were last seen */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Workspaces that goals can name */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause: the running turn stops at its next call */
        post: operations["pauseGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/notifications/{notificationId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a notification to its webhooks once more, under the same id */
        post: operations["resendNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on; every streak begins again, no total does */
        post: operations["resumeGoal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say something to the goal */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who speaks, and until when */
        get: operations["getSession"];
        put?: never;
        /** Sign a browser in: a token, or a one-time code, for a cookie */
        post: operations["signIn"];
        /** Sign this browser out */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A code that signs one browser in, once, as the caller */
        post: operations["createSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells which goals changed, from now on (SSE); their own streams have the details */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of a goal: the backlog after Last-Event-ID (or `after`), then live (SSE) */
        get: operations["streamGoalEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/goals/{goalId}/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the whole ledger, with every stored output, what was written? */
        get: operations["verifyLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        GoalInput: {
            goalId: string;
            threadId: string;
            parentGoalId?: string;
            objective: string;
            /** @enum {string} */
            status: "active" | "paused" | "budget_limited" | "complete";
            pause?: {
                /** @enum {string} */
                reason: "person" | "message" | "question" | "blocked" | "no_progress" | "gate_exhausted" | "unverified_claim" | "protocol_error" | "provider_error" | "tool_error_cap" | "lifecycle_breaker" | "recovery";
                message: string;
                missing: string[];
                questionId?: string;
                approvalId?: string;
                since: string;
                until?: string;
            };
            activity: {
                /** @enum {string} */
                state: "running" | "waiting" | "idle";
                /** @enum {string} */
                on?: "timer" | "condition" | "delegate" | "approval" | "provider" | "worker" | "workspace";
                reason: string;
                since: string;
                until?: string;
                /** @enum {string} */
                actor: "You" | "Agent" | "Clock" | "Provider" | "Worker" | "Team";
            };
            revision: number;
            criteria: components["schemas"]["TrackedCriterionInput"][];
            budget: {
                tokens: number | null;
                costUsd: string | null;
                turns: number | null;
                activeSeconds: number | null;
                deadline: string | null;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                tokens: number;
                costUsd: string;
                turns: number;
                steps: number;
                activeSeconds: number;
                own: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    tokens: number;
                    costUsd: string;
                    turns: number;
                    steps: number;
                    activeSeconds: number;
                };
            };
            todos: {
                revision: number;
                total: number;
                done: number;
            };
            completion?: {
                /** @enum {string} */
                source: "explicit" | "implicit" | "person";
                /** @enum {string} */
                verification: "verified" | "supported" | "accepted_by_person";
                result: string;
                changedFiles: string[];
                receipts: number[];
                at: string;
            };
            model: string;
            fallbackModel?: string;
            fallback?: {
                model: string;
                since: string;
                until: string;
                reason: string;
            };
            chain?: {
                startedAt: string;
                length: number;
                tokens: number;
            };
            /** @constant */
            textTokens?: true;
            /** @enum {string} */
            mode: "agent" | "plan" | "gather";
            workspace: {
                name: string;
                path: string;
                /** @constant */
                mode: "shared";
            };
            policy: {
                /** @enum {string} */
                completion: "verified" | "supported";
                /** @enum {string} */
                onUnknown: "continue" | "ask";
                tools?: {
                    tool: string;
                    command?: string;
                    path?: string;
                    /** @enum {string} */
                    decision: "allow" | "ask" | "deny";
                }[];
                approvalTimeoutSeconds?: number | null;
                questionTimeoutSeconds?: number | null;
                questionDefault?: string | null;
                continuation: {
                    enabled: boolean;
                    continueAt: number;
                    warnAt: number;
                    continuationsWithoutReceipt: number;
                    toolFreeTurns: number;
                    turnsWithoutProgress: number;
                    refusalsInRow: number;
                    refusalsWithoutBest: number;
                    truncatedTurns: number;
                    toolErrors: number;
                    repeatsNoted: number;
                    repeatsPaused: number;
                    protocolRetries: number;
                    stepsPerSlice: number;
                    stepsPerTurn: number;
                    secondsPerSlice: number;
                    openProposals: number;
                    delegatesPerTurn: number;
                    delegatesRunning: number;
                    delegateDepth: number;
                    providerRetries: number;
                    providerWaitSeconds: number;
                    fallbackSeconds: number;
                    lostCalls: number;
                    delayMinSeconds: number;
                    delayMaxSeconds: number;
                    delayDefaultSeconds: number;
                    chainLength: number;
                    chainTokens: number;
                    waitDefaultSeconds: number;
                    waitMaxSeconds: number;
                    pollMinSeconds: number;
                    pollMaxSeconds: number;
                };
            };
            notify?: {
                url: string;
                events?: ("question" | "approval" | "blocked" | "paused" | "budget_limited" | "complete")[];
            }[];
            /** @enum {string} */
            isolation: "full" | "partial" | "none";
            archivedAt?: string;
            createdAt: string;
            updatedAt: string;
        };
        LedgerRowInput: {
            seq: number;
            /** @enum {string} */
            phase: "started" | "settled";
            callId: string;
            turn: number;
            step: number;
            token: number;
            tool: string;
            /** @enum {string} */
            effect: "read" | "write" | "once";
            /** @enum {string} */
            outcome?: "succeeded" | "failed" | "refused" | "unknown";
            arguments?: unknown;
            plan?: {
                path: string;
                before: string | null;
                after: string | null;
            };
            receipt?: {
                exitCode?: number;
                signal?: string;
                reason?: string;
                reads?: string[];
                writes?: string[];
                hashes?: {
                    [key: string]: string | null;
                };
                writeSeq?: number;
                outputBytes?: number;
                outputSha256?: string;
                durationMs?: number;
                expectFailure?: boolean;
                ranNothing?: string;
                command?: string;
                cwd?: string;
                /** @enum {string} */
                origin?: "model" | "gate" | "baseline";
                criterionId?: string;
                tests?: {
                    runner: string;
                    ran: number;
                    failed: number;
                    skipped: number;
                };
                policy?: {
                    /** @enum {string} */
                    decision: "allow" | "ask" | "deny";
                    rule: string;
                    approvalId?: string;
                    by?: string;
                };
                ownWrites?: string[];
            };
            outputRef?: string;
            at: string;
            previous: string;
            hash: string;
        };
        ProblemInput: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "malformed_json" | "unknown_model" | "model_key_missing" | "unknown_workspace" | "budget_too_small" | "budget_above_maximum" | "unsupported" | "unauthorized" | "forbidden" | "not_found" | "goal_conflict" | "invalid_transition" | "already_answered" | "request_in_progress" | "payload_too_large" | "idempotency_mismatch" | "rate_limited" | "internal" | "database_unavailable" | "temporal_unavailable" | "worker_unavailable";
            field?: string;
        } & {
            [key: string]: unknown;
        };
        ApprovalInput: {
            approvalId: string;
            goalId: string;
            /** @enum {string} */
            kind: "tool" | "basis" | "manual" | "criterion" | "approval" | "completion" | "unknown_effect";
            turn: number;
            question: string;
            onApprove: string;
            onDeny: string;
            data: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "superseded";
            createdAt: string;
            decidedAt: string | null;
            decidedBy: string | null;
            note: string | null;
        };
        TrackedCriterionInput: {
            criterionId: string;
            spec: {
                /** @constant */
                kind: "command";
                name?: string;
                command: string;
                cwd?: string;
                /** @enum {string} */
                check?: "rerun" | "clean" | "receipt";
                setup?: string;
                expectExit?: number;
                attempts?: number;
                timeoutSeconds?: number;
                scope?: string[];
                basis?: "open" | string[];
            } | {
                /** @constant */
                kind: "file";
                name?: string;
                path: string;
                exists?: boolean;
                matches?: string;
                /** @constant */
                protect?: true;
            } | {
                /** @constant */
                kind: "git";
                name?: string;
                branch?: string;
                allowedPaths?: string[];
                clean?: boolean;
            } | {
                /** @constant */
                kind: "diagnostics";
                name?: string;
                paths?: string[];
            } | {
                /** @constant */
                kind: "review";
                name?: string;
                rubric: string;
                model?: string;
            } | {
                /** @constant */
                kind: "approval";
                name?: string;
                question: string;
            };
            /** @enum {string} */
            state: "unmet" | "met" | "stale" | "narrowed";
            /** @enum {string} */
            baseline: "met" | "unmet" | "not_run";
            /** @enum {string} */
            origin: "caller" | "detected" | "proposed";
            reason?: string;
            receipts: number[];
        };
        DelegateInput: {
            delegateId: string;
            parentGoalId: string;
            depth: number;
            callId: string;
            turn: number;
            task: string;
            files: string[];
            /** @enum {string} */
            mode: "agent" | "plan" | "gather";
            /** @enum {string} */
            return: "normal" | "silent" | "silent_wake" | "post_compaction";
            /** @enum {string} */
            state: "staged" | "delayed" | "held" | "running" | "ended" | "refused" | "dropped";
            hop?: number;
            startsAt?: string;
            startedAt?: string;
            endedAt?: string;
            goalId?: string;
            /** @enum {string} */
            status?: "active" | "paused" | "budget_limited" | "complete";
            share?: {
                tokens: number | null;
                costUsd: string | null;
                turns: number | null;
                activeSeconds: number | null;
            };
            usage?: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                tokens: number;
                costUsd: string;
                turns: number;
                steps: number;
                activeSeconds: number;
            };
            outcome?: {
                /** @enum {string} */
                kind: "finding" | "failed" | "limited" | "stopped" | "lost" | "dropped";
                reason: string;
            } | {
                /** @constant */
                kind: "refused";
                reason: string;
                /** @enum {string} */
                limit: "delegatesRunning" | "delegateDepth" | "chainLength" | "chainTokens" | "budget" | "cycle";
                value: number;
                allowed: number;
            };
        };
        TodoItemInput: {
            id: string;
            content: string;
            activeForm?: string;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed" | "dropped";
            level: 0 | 1;
            reason?: string;
            result?: string;
            receipts: number[];
            isVerified?: boolean;
            summary?: string;
            acceptedBy?: string;
            writtenAfter?: {
                seq: number;
                paths: string[];
            };
        };
        TurnInput: {
            turn: number;
            kind: string;
            /** @enum {string} */
            state: "open" | "settled";
            startedAt: string;
            settledAt: string | null;
            decision: {
                rule: number;
                action: string;
                sentence: string;
                missing: string[];
                reasons: {
                    [key: string]: string;
                };
                isWarning: boolean;
                score: {
                    total: number;
                    finishReason: number;
                    toolResult: number;
                    intent: number;
                    noSummary: number;
                    ratio: number;
                } | null;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    tokens: number;
                    costUsd: string;
                    turns: number;
                    steps: number;
                    activeSeconds: number;
                };
                ledgerSeq: number;
                ledgerHead: string;
                at: string;
            } | null;
            compactions: {
                number: number;
                step: number;
                /** @enum {string} */
                reason: "window" | "overflow";
                notesBy: ("model" | "host") | null;
                model: string;
                tokensBefore: number;
                tokensAfter: number;
                at: string;
            }[];
            messages: {
                seq: number;
                voice: string;
                text: string;
                calls: {
                    callId: string;
                    tool: string;
                    input: string;
                }[];
            }[];
        };
        TurnOutlineInput: {
            turn: number;
            kind: string;
            /** @enum {string} */
            state: "open" | "settled";
            startedAt: string;
            settledAt: string | null;
            rule: number | null;
            action: string | null;
            missing: string[];
            tokens: number | null;
            costUsd: string | null;
        };
        CallInput: {
            callId: string;
            turn: number;
            step: number;
            tool: string;
            /** @enum {string} */
            effect: "read" | "write" | "once";
            arguments: unknown;
            startedSeq: number | null;
            settledSeq: number | null;
            startedAt: string | null;
            settledAt: string | null;
            outcome: ("succeeded" | "failed" | "refused" | "unknown") | null;
            receipt: {
                exitCode?: number;
                signal?: string;
                reason?: string;
                reads?: string[];
                writes?: string[];
                hashes?: {
                    [key: string]: string | null;
                };
                writeSeq?: number;
                outputBytes?: number;
                outputSha256?: string;
                durationMs?: number;
                expectFailure?: boolean;
                ranNothing?: string;
                command?: string;
                cwd?: string;
                /** @enum {string} */
                origin?: "model" | "gate" | "baseline";
                criterionId?: string;
                tests?: {
                    runner: string;
                    ran: number;
                    failed: number;
                    skipped: number;
                };
                policy?: {
                    /** @enum {string} */
                    decision: "allow" | "ask" | "deny";
                    rule: string;
                    approvalId?: string;
                    by?: string;
                };
                ownWrites?: string[];
            } | null;
            hasOutput: boolean;
            hash: string;
            previous: string;
        };
        Goal: {
            goalId: string;
            threadId: string;
            parentGoalId?: string;
            objective: string;
            /** @enum {string} */
            status: "active" | "paused" | "budget_limited" | "complete";
            pause?: {
                /** @enum {string} */
                reason: "person" | "message" | "question" | "blocked" | "no_progress" | "gate_exhausted" | "unverified_claim" | "protocol_error" | "provider_error" | "tool_error_cap" | "lifecycle_breaker" | "recovery";
                message: string;
                missing: string[];
                questionId?: string;
                approvalId?: string;
                since: string;
                until?: string;
            };
            activity: {
                /** @enum {string} */
                state: "running" | "waiting" | "idle";
                /** @enum {string} */
                on?: "timer" | "condition" | "delegate" | "approval" | "provider" | "worker" | "workspace";
                reason: string;
                since: string;
                until?: string;
                /** @enum {string} */
                actor: "You" | "Agent" | "Clock" | "Provider" | "Worker" | "Team";
            };
            revision: number;
            criteria: components["schemas"]["TrackedCriterion"][];
            budget: {
                tokens: number | null;
                costUsd: string | null;
                turns: number | null;
                activeSeconds: number | null;
                deadline: string | null;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                tokens: number;
                costUsd: string;
                turns: number;
                steps: number;
                activeSeconds: number;
                own: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    tokens: number;
                    costUsd: string;
                    turns: number;
                    steps: number;
                    activeSeconds: number;
                };
            };
            todos: {
                revision: number;
                total: number;
                done: number;
            };
            completion?: {
                /** @enum {string} */
                source: "explicit" | "implicit" | "person";
                /** @enum {string} */
                verification: "verified" | "supported" | "accepted_by_person";
                result: string;
                changedFiles: string[];
                receipts: number[];
                at: string;
            };
            model: string;
            fallbackModel?: string;
            fallback?: {
                model: string;
                since: string;
                until: string;
                reason: string;
            };
            chain?: {
                startedAt: string;
                length: number;
                tokens: number;
            };
            /** @constant */
            textTokens?: true;
            /** @enum {string} */
            mode: "agent" | "plan" | "gather";
            workspace: {
                name: string;
                path: string;
                /** @constant */
                mode: "shared";
            };
            policy: {
                /** @enum {string} */
                completion: "verified" | "supported";
                /** @enum {string} */
                onUnknown: "continue" | "ask";
                tools?: {
                    tool: string;
                    command?: string;
                    path?: string;
                    /** @enum {string} */
                    decision: "allow" | "ask" | "deny";
                }[];
                approvalTimeoutSeconds?: number | null;
                questionTimeoutSeconds?: number | null;
                questionDefault?: string | null;
                continuation: {
                    enabled: boolean;
                    continueAt: number;
                    warnAt: number;
                    continuationsWithoutReceipt: number;
                    toolFreeTurns: number;
                    turnsWithoutProgress: number;
                    refusalsInRow: number;
                    refusalsWithoutBest: number;
                    truncatedTurns: number;
                    toolErrors: number;
                    repeatsNoted: number;
                    repeatsPaused: number;
                    protocolRetries: number;
                    stepsPerSlice: number;
                    stepsPerTurn: number;
                    secondsPerSlice: number;
                    openProposals: number;
                    delegatesPerTurn: number;
                    delegatesRunning: number;
                    delegateDepth: number;
                    providerRetries: number;
                    providerWaitSeconds: number;
                    fallbackSeconds: number;
                    lostCalls: number;
                    delayMinSeconds: number;
                    delayMaxSeconds: number;
                    delayDefaultSeconds: number;
                    chainLength: number;
                    chainTokens: number;
                    waitDefaultSeconds: number;
                    waitMaxSeconds: number;
                    pollMinSeconds: number;
                    pollMaxSeconds: number;
                };
            };
            notify?: {
                url: string;
                events?: ("question" | "approval" | "blocked" | "paused" | "budget_limited" | "complete")[];
            }[];
            /** @enum {string} */
            isolation: "full" | "partial" | "none";
            archivedAt?: string;
            createdAt: string;
            updatedAt: string;
        };
        LedgerRow: {
            seq: number;
            /** @enum {string} */
            phase: "started" | "settled";
            callId: string;
            turn: number;
            step: number;
            token: number;
            tool: string;
            /** @enum {string} */
            effect: "read" | "write" | "once";
            /** @enum {string} */
            outcome?: "succeeded" | "failed" | "refused" | "unknown";
            arguments?: unknown;
            plan?: {
                path: string;
                before: string | null;
                after: string | null;
            };
            receipt?: {
                exitCode?: number;
                signal?: string;
                reason?: string;
                reads?: string[];
                writes?: string[];
                hashes?: {
                    [key: string]: string | null;
                };
                writeSeq?: number;
                outputBytes?: number;
                outputSha256?: string;
                durationMs?: number;
                expectFailure?: boolean;
                ranNothing?: string;
                command?: string;
                cwd?: string;
                /** @enum {string} */
                origin?: "model" | "gate" | "baseline";
                criterionId?: string;
                tests?: {
                    runner: string;
                    ran: number;
                    failed: number;
                    skipped: number;
                };
                policy?: {
                    /** @enum {string} */
                    decision: "allow" | "ask" | "deny";
                    rule: string;
                    approvalId?: string;
                    by?: string;
                };
                ownWrites?: string[];
            };
            outputRef?: string;
            at: string;
            previous: string;
            hash: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_request" | "malformed_json" | "unknown_model" | "model_key_missing" | "unknown_workspace" | "budget_too_small" | "budget_above_maximum" | "unsupported" | "unauthorized" | "forbidden" | "not_found" | "goal_conflict" | "invalid_transition" | "already_answered" | "request_in_progress" | "payload_too_large" | "idempotency_mismatch" | "rate_limited" | "internal" | "database_unavailable" | "temporal_unavailable" | "worker_unavailable";
            field?: string;
        } & {
            [key: string]: unknown;
        };
        Approval: {
            approvalId: string;
            goalId: string;
            /** @enum {string} */
            kind: "tool" | "basis" | "manual" | "criterion" | "approval" | "completion" | "unknown_effect";
            turn: number;
            question: string;
            onApprove: string;
            onDeny: string;
            data: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "superseded";
            createdAt: string;
            decidedAt: string | null;
            decidedBy: string | null;
            note: string | null;
        };
        TrackedCriterion: {
            criterionId: string;
            spec: {
                /** @constant */
                kind: "command";
                name?: string;
                command: string;
                cwd?: string;
                /** @enum {string} */
                check?: "rerun" | "clean" | "receipt";
                setup?: string;
                expectExit?: number;
                attempts?: number;
                timeoutSeconds?: number;
                scope?: string[];
                basis?: "open" | string[];
            } | {
                /** @constant */
                kind: "file";
                name?: string;
                path: string;
                exists?: boolean;
                matches?: string;
                /** @constant */
                protect?: true;
            } | {
                /** @constant */
                kind: "git";
                name?: string;
                branch?: string;
                allowedPaths?: string[];
                clean?: boolean;
            } | {
                /** @constant */
                kind: "diagnostics";
                name?: string;
                paths?: string[];
            } | {
                /** @constant */
                kind: "review";
                name?: string;
                rubric: string;
                model?: string;
            } | {
                /** @constant */
                kind: "approval";
                name?: string;
                question: string;
            };
            /** @enum {string} */
            state: "unmet" | "met" | "stale" | "narrowed";
            /** @enum {string} */
            baseline: "met" | "unmet" | "not_run";
            /** @enum {string} */
            origin: "caller" | "detected" | "proposed";
            reason?: string;
            receipts: number[];
        };
        Delegate: {
            delegateId: string;
            parentGoalId: string;
            depth: number;
            callId: string;
            turn: number;
            task: string;
            files: string[];
            /** @enum {string} */
            mode: "agent" | "plan" | "gather";
            /** @enum {string} */
            return: "normal" | "silent" | "silent_wake" | "post_compaction";
            /** @enum {string} */
            state: "staged" | "delayed" | "held" | "running" | "ended" | "refused" | "dropped";
            hop?: number;
            startsAt?: string;
            startedAt?: string;
            endedAt?: string;
            goalId?: string;
            /** @enum {string} */
            status?: "active" | "paused" | "budget_limited" | "complete";
            share?: {
                tokens: number | null;
                costUsd: string | null;
                turns: number | null;
                activeSeconds: number | null;
            };
            usage?: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                tokens: number;
                costUsd: string;
                turns: number;
                steps: number;
                activeSeconds: number;
            };
            outcome?: {
                /** @enum {string} */
                kind: "finding" | "failed" | "limited" | "stopped" | "lost" | "dropped";
                reason: string;
            } | {
                /** @constant */
                kind: "refused";
                reason: string;
                /** @enum {string} */
                limit: "delegatesRunning" | "delegateDepth" | "chainLength" | "chainTokens" | "budget" | "cycle";
                value: number;
                allowed: number;
            };
        };
        TodoItem: {
            id: string;
            content: string;
            activeForm?: string;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed" | "dropped";
            level: 0 | 1;
            reason?: string;
            result?: string;
            receipts: number[];
            isVerified?: boolean;
            summary?: string;
            acceptedBy?: string;
            writtenAfter?: {
                seq: number;
                paths: string[];
            };
        };
        Turn: {
            turn: number;
            kind: string;
            /** @enum {string} */
            state: "open" | "settled";
            startedAt: string;
            settledAt: string | null;
            decision: {
                rule: number;
                action: string;
                sentence: string;
                missing: string[];
                reasons: {
                    [key: string]: string;
                };
                isWarning: boolean;
                score: {
                    total: number;
                    finishReason: number;
                    toolResult: number;
                    intent: number;
                    noSummary: number;
                    ratio: number;
                } | null;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    tokens: number;
                    costUsd: string;
                    turns: number;
                    steps: number;
                    activeSeconds: number;
                };
                ledgerSeq: number;
                ledgerHead: string;
                at: string;
            } | null;
            compactions: {
                number: number;
                step: number;
                /** @enum {string} */
                reason: "window" | "overflow";
                notesBy: ("model" | "host") | null;
                model: string;
                tokensBefore: number;
                tokensAfter: number;
                at: string;
            }[];
            messages: {
                seq: number;
                voice: string;
                text: string;
                calls: {
                    callId: string;
                    tool: string;
                    input: string;
                }[];
            }[];
        };
        TurnOutline: {
            turn: number;
            kind: string;
            /** @enum {string} */
            state: "open" | "settled";
            startedAt: string;
            settledAt: string | null;
            rule: number | null;
            action: string | null;
            missing: string[];
            tokens: number | null;
            costUsd: string | null;
        };
        Call: {
            callId: string;
            turn: number;
            step: number;
            tool: string;
            /** @enum {string} */
            effect: "read" | "write" | "once";
            arguments: unknown;
            startedSeq: number | null;
            settledSeq: number | null;
            startedAt: string | null;
            settledAt: string | null;
            outcome: ("succeeded" | "failed" | "refused" | "unknown") | null;
            receipt: {
                exitCode?: number;
                signal?: string;
                reason?: string;
                reads?: string[];
                writes?: string[];
                hashes?: {
                    [key: string]: string | null;
                };
                writeSeq?: number;
                outputBytes?: number;
                outputSha256?: string;
                durationMs?: number;
                expectFailure?: boolean;
                ranNothing?: string;
                command?: string;
                cwd?: string;
                /** @enum {string} */
                origin?: "model" | "gate" | "baseline";
                criterionId?: string;
                tests?: {
                    runner: string;
                    ran: number;
                    failed: number;
                    skipped: number;
                };
                policy?: {
                    /** @enum {string} */
                    decision: "allow" | "ask" | "deny";
                    rule: string;
                    approvalId?: string;
                    by?: string;
                };
                ownWrites?: string[];
            } | null;
            hasOutput: boolean;
            hash: string;
            previous: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    amendGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    objective?: string;
                    criteria?: ({
                        /** @enum {string} */
                        kind: "command";
                        name?: string;
                        command: string;
                        cwd?: string;
                        /** @enum {string} */
                        check?: "rerun" | "clean" | "receipt";
                        setup?: string;
                        expectExit?: number;
                        attempts?: number;
                        timeoutSeconds?: number;
                        scope?: string[];
                        basis?: "open" | string[];
                    } | {
                        /** @enum {string} */
                        kind: "file";
                        name?: string;
                        path: string;
                        exists?: boolean;
                        matches?: string;
                        /** @enum {boolean} */
                        protect?: true;
                    } | {
                        /** @enum {string} */
                        kind: "git";
                        name?: string;
                        branch?: string;
                        allowedPaths?: string[];
                        clean?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "diagnostics";
                        name?: string;
                        paths?: string[];
                    } | {
                        /** @enum {string} */
                        kind: "review";
                        name?: string;
                        rubric: string;
                        model?: string;
                    } | {
                        /** @enum {string} */
                        kind: "approval";
                        name?: string;
                        question: string;
                    })[];
                    budget?: {
                        tokens?: number | null;
                        costUsd?: string | null;
                        turns?: number | null;
                        activeSeconds?: number | null;
                        deadline?: string | null;
                    };
                    model?: string;
                    fallbackModel?: string | null;
                    policy?: {
                        /** @enum {string} */
                        completion?: "verified" | "supported";
                        /** @enum {string} */
                        onUnknown?: "continue" | "ask";
                        tools?: {
                            tool: string;
                            command?: string;
                            path?: string;
                            /** @enum {string} */
                            decision: "allow" | "ask" | "deny";
                        }[];
                        approvalTimeoutSeconds?: number | null;
                        questionTimeoutSeconds?: number | null;
                        questionDefault?: string | null;
                        continuation?: {
                            enabled?: boolean;
                            continueAt?: number;
                            warnAt?: number;
                            continuationsWithoutReceipt?: number;
                            toolFreeTurns?: number;
                            turnsWithoutProgress?: number;
                            refusalsInRow?: number;
                            refusalsWithoutBest?: number;
                            truncatedTurns?: number;
                            toolErrors?: number;
                            repeatsNoted?: number;
                            repeatsPaused?: number;
                            protocolRetries?: number;
                            stepsPerSlice?: number;
                            stepsPerTurn?: number;
                            secondsPerSlice?: number;
                            openProposals?: number;
                            delegatesPerTurn?: number;
                            delegatesRunning?: number;
                            delegateDepth?: number;
                            providerRetries?: number;
                            providerWaitSeconds?: number;
                            fallbackSeconds?: number;
                            lostCalls?: number;
                            delayMinSeconds?: number;
                            delayMaxSeconds?: number;
                            delayDefaultSeconds?: number;
                            chainLength?: number;
                            chainTokens?: number;
                            waitDefaultSeconds?: number;
                            waitMaxSeconds?: number;
                            pollMinSeconds?: number;
                            pollMaxSeconds?: number;
                        };
                    };
                    notify?: {
                        /** Format: uri */
                        url: string;
                        secret?: string;
                        secretEnv?: string;
                        events?: ("question" | "approval" | "blocked" | "paused" | "budget_limited" | "complete")[];
                    }[];
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    questionId: string;
                    text?: string;
                    option?: number;
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                tool?: string;
                outcome?: "succeeded" | "failed" | "refused" | "unknown" | "running";
                turn?: number;
                q?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Call"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
                seq: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        callId: string;
                        turn: number;
                        step: number;
                        tool: string;
                        /** @enum {string} */
                        effect: "read" | "write" | "once";
                        arguments: unknown;
                        startedSeq: number | null;
                        settledSeq: number | null;
                        startedAt: string | null;
                        settledAt: string | null;
                        outcome: ("succeeded" | "failed" | "refused" | "unknown") | null;
                        receipt: {
                            exitCode?: number;
                            signal?: string;
                            reason?: string;
                            reads?: string[];
                            writes?: string[];
                            hashes?: {
                                [key: string]: string | null;
                            };
                            writeSeq?: number;
                            outputBytes?: number;
                            outputSha256?: string;
                            durationMs?: number;
                            expectFailure?: boolean;
                            ranNothing?: string;
                            command?: string;
                            cwd?: string;
                            /** @enum {string} */
                            origin?: "model" | "gate" | "baseline";
                            criterionId?: string;
                            tests?: {
                                runner: string;
                                ran: number;
                                failed: number;
                                skipped: number;
                            };
                            policy?: {
                                /** @enum {string} */
                                decision: "allow" | "ask" | "deny";
                                rule: string;
                                approvalId?: string;
                                by?: string;
                            };
                            ownWrites?: string[];
                        } | null;
                        hasOutput: boolean;
                        hash: string;
                        previous: string;
                        text: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clearGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    result: string;
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countGoals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        statuses: {
                            active: number;
                            paused: number;
                            budget_limited: number;
                            complete: number;
                        };
                        groups: {
                            you: number;
                            agent: number;
                            waiting: number;
                            team: number;
                            complete: number;
                        };
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "approve" | "deny";
                    note?: string;
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getThreadGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putThreadGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    objective: string;
                    expectedGoalId?: string | null;
                    replace?: boolean;
                    expectedRevision?: number;
                    criteria?: ({
                        /** @enum {string} */
                        kind: "command";
                        name?: string;
                        command: string;
                        cwd?: string;
                        /** @enum {string} */
                        check?: "rerun" | "clean" | "receipt";
                        setup?: string;
                        expectExit?: number;
                        attempts?: number;
                        timeoutSeconds?: number;
                        scope?: string[];
                        basis?: "open" | string[];
                    } | {
                        /** @enum {string} */
                        kind: "file";
                        name?: string;
                        path: string;
                        exists?: boolean;
                        matches?: string;
                        /** @enum {boolean} */
                        protect?: true;
                    } | {
                        /** @enum {string} */
                        kind: "git";
                        name?: string;
                        branch?: string;
                        allowedPaths?: string[];
                        clean?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "diagnostics";
                        name?: string;
                        paths?: string[];
                    } | {
                        /** @enum {string} */
                        kind: "review";
                        name?: string;
                        rubric: string;
                        model?: string;
                    } | {
                        /** @enum {string} */
                        kind: "approval";
                        name?: string;
                        question: string;
                    })[];
                    budget?: {
                        tokens?: number | null;
                        costUsd?: string | null;
                        turns?: number | null;
                        activeSeconds?: number | null;
                        deadline?: string | null;
                    };
                    model?: string;
                    fallbackModel?: string;
                    /** @enum {string} */
                    mode?: "agent" | "plan" | "gather";
                    workspace?: {
                        name: string;
                        /** @enum {string} */
                        mode?: "shared";
                    } | {
                        path: string;
                        /** @enum {string} */
                        mode?: "shared";
                    };
                    policy?: {
                        /** @enum {string} */
                        completion?: "verified" | "supported";
                        /** @enum {string} */
                        onUnknown?: "continue" | "ask";
                        tools?: {
                            tool: string;
                            command?: string;
                            path?: string;
                            /** @enum {string} */
                            decision: "allow" | "ask" | "deny";
                        }[];
                        approvalTimeoutSeconds?: number | null;
                        questionTimeoutSeconds?: number | null;
                        questionDefault?: string | null;
                        continuation?: {
                            enabled?: boolean;
                            continueAt?: number;
                            warnAt?: number;
                            continuationsWithoutReceipt?: number;
                            toolFreeTurns?: number;
                            turnsWithoutProgress?: number;
                            refusalsInRow?: number;
                            refusalsWithoutBest?: number;
                            truncatedTurns?: number;
                            toolErrors?: number;
                            repeatsNoted?: number;
                            repeatsPaused?: number;
                            protocolRetries?: number;
                            stepsPerSlice?: number;
                            stepsPerTurn?: number;
                            secondsPerSlice?: number;
                            openProposals?: number;
                            delegatesPerTurn?: number;
                            delegatesRunning?: number;
                            delegateDepth?: number;
                            providerRetries?: number;
                            providerWaitSeconds?: number;
                            fallbackSeconds?: number;
                            lostCalls?: number;
                            delayMinSeconds?: number;
                            delayMaxSeconds?: number;
                            delayDefaultSeconds?: number;
                            chainLength?: number;
                            chainTokens?: number;
                            waitDefaultSeconds?: number;
                            waitMaxSeconds?: number;
                            pollMinSeconds?: number;
                            pollMaxSeconds?: number;
                        };
                    };
                    textTokens?: boolean;
                    notify?: {
                        /** Format: uri */
                        url: string;
                        secret?: string;
                        secretEnv?: string;
                        events?: ("question" | "approval" | "blocked" | "paused" | "budget_limited" | "complete")[];
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteThreadGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expectedRevision?: number;
                    expectedGoalId?: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turn: number | null;
                        missing: string[];
                        reasons: {
                            [key: string]: string;
                        };
                        changes: {
                            name: string;
                            /** @enum {string} */
                            kind: "script" | "configuration" | "executable" | "link" | "mode" | "suppression" | "test_deleted" | "test_changed" | "test_skipped" | "test_gone";
                            criterionIds: string[];
                            before: string | null;
                            now: string | null;
                            diff: string;
                        }[];
                        at: string | null;
                        criteria: components["schemas"]["TrackedCriterion"][];
                        todos: {
                            total: number;
                            done: number;
                        };
                        freshness: {
                            lastWrite: {
                                seq: number;
                                at: string;
                                paths: string[];
                            } | null;
                            receipts: {
                                seq: number;
                                at: string;
                                outcome: ("succeeded" | "failed" | "refused" | "unknown") | null;
                            }[];
                        };
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOutput: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
                seq: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: {
                            revision: number;
                            markdown: string;
                            writtenAt: string;
                        } | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        question: {
                            questionId: string;
                            text: string;
                            options: string[];
                            default: string | null;
                            until: string | null;
                        } | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TurnOutline"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTodos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revision: number;
                        items: components["schemas"]["TodoItem"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        usage: {
                            inputTokens: number;
                            cachedInputTokens: number;
                            outputTokens: number;
                            tokens: number;
                            costUsd: string;
                            turns: number;
                            steps: number;
                            activeSeconds: number;
                            own: {
                                inputTokens: number;
                                cachedInputTokens: number;
                                outputTokens: number;
                                tokens: number;
                                costUsd: string;
                                turns: number;
                                steps: number;
                                activeSeconds: number;
                            };
                        };
                        cachedShare: number;
                        budget: {
                            tokens: number | null;
                            costUsd: string | null;
                            turns: number | null;
                            activeSeconds: number | null;
                            deadline: string | null;
                        };
                        setAside: {
                            inputTokens: number;
                            cachedInputTokens: number;
                            outputTokens: number;
                            tokens: number;
                            costUsd: string;
                            turns: number;
                            steps: number;
                            activeSeconds: number;
                        };
                        series: {
                            turn: number;
                            usage: {
                                inputTokens: number;
                                cachedInputTokens: number;
                                outputTokens: number;
                                tokens: number;
                                costUsd: string;
                                turns: number;
                                steps: number;
                                activeSeconds: number;
                            };
                            at: string;
                        }[];
                        stepSums: {
                            calls: number;
                            inputTokens: number;
                            cachedInputTokens: number;
                            outputTokens: number;
                            tokens: number;
                            costUsd: string;
                            estimated: {
                                calls: number;
                                tokens: number;
                                costUsd: string;
                            };
                        };
                        steps: {
                            turn: number;
                            step: number;
                            /** @enum {string} */
                            kind: "turn" | "review" | "compaction";
                            attempt: number;
                            /** @enum {string} */
                            state: "sent" | "committed" | "lost" | "failed";
                            model: string;
                            inputTokens: number;
                            cachedInputTokens: number;
                            outputTokens: number;
                            costUsd: string;
                            isEstimated: boolean;
                            pricesVersion: string | null;
                            trouble?: string;
                            startedAt: string;
                            endedAt: string | null;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDelegates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Delegate"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                goalId?: string;
                state?: "open" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Approval"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGoals: {
        parameters: {
            query?: {
                status?: ("active" | "paused" | "budget_limited" | "complete")[];
                actor?: ("You" | "Agent" | "Clock" | "Provider" | "Worker" | "Team")[];
                q?: string;
                workspace?: string;
                sort?: "newest" | "oldest" | "updated" | "waiting" | "limit" | "cost";
                group?: "actor" | "none";
                archived?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Goal"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startGoal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    objective: string;
                    threadId?: string;
                    expectedGoalId?: string | null;
                    replace?: boolean;
                    expectedRevision?: number;
                    criteria?: ({
                        /** @enum {string} */
                        kind: "command";
                        name?: string;
                        command: string;
                        cwd?: string;
                        /** @enum {string} */
                        check?: "rerun" | "clean" | "receipt";
                        setup?: string;
                        expectExit?: number;
                        attempts?: number;
                        timeoutSeconds?: number;
                        scope?: string[];
                        basis?: "open" | string[];
                    } | {
                        /** @enum {string} */
                        kind: "file";
                        name?: string;
                        path: string;
                        exists?: boolean;
                        matches?: string;
                        /** @enum {boolean} */
                        protect?: true;
                    } | {
                        /** @enum {string} */
                        kind: "git";
                        name?: string;
                        branch?: string;
                        allowedPaths?: string[];
                        clean?: boolean;
                    } | {
                        /** @enum {string} */
                        kind: "diagnostics";
                        name?: string;
                        paths?: string[];
                    } | {
                        /** @enum {string} */
                        kind: "review";
                        name?: string;
                        rubric: string;
                        model?: string;
                    } | {
                        /** @enum {string} */
                        kind: "approval";
                        name?: string;
                        question: string;
                    })[];
                    budget?: {
                        tokens?: number | null;
                        costUsd?: string | null;
                        turns?: number | null;
                        activeSeconds?: number | null;
                        deadline?: string | null;
                    };
                    model?: string;
                    fallbackModel?: string;
                    /** @enum {string} */
                    mode?: "agent" | "plan" | "gather";
                    workspace?: {
                        name: string;
                        /** @enum {string} */
                        mode?: "shared";
                    } | {
                        path: string;
                        /** @enum {string} */
                        mode?: "shared";
                    };
                    policy?: {
                        /** @enum {string} */
                        completion?: "verified" | "supported";
                        /** @enum {string} */
                        onUnknown?: "continue" | "ask";
                        tools?: {
                            tool: string;
                            command?: string;
                            path?: string;
                            /** @enum {string} */
                            decision: "allow" | "ask" | "deny";
                        }[];
                        approvalTimeoutSeconds?: number | null;
                        questionTimeoutSeconds?: number | null;
                        questionDefault?: string | null;
                        continuation?: {
                            enabled?: boolean;
                            continueAt?: number;
                            warnAt?: number;
                            continuationsWithoutReceipt?: number;
                            toolFreeTurns?: number;
                            turnsWithoutProgress?: number;
                            refusalsInRow?: number;
                            refusalsWithoutBest?: number;
                            truncatedTurns?: number;
                            toolErrors?: number;
                            repeatsNoted?: number;
                            repeatsPaused?: number;
                            protocolRetries?: number;
                            stepsPerSlice?: number;
                            stepsPerTurn?: number;
                            secondsPerSlice?: number;
                            openProposals?: number;
                            delegatesPerTurn?: number;
                            delegatesRunning?: number;
                            delegateDepth?: number;
                            providerRetries?: number;
                            providerWaitSeconds?: number;
                            fallbackSeconds?: number;
                            lostCalls?: number;
                            delayMinSeconds?: number;
                            delayMaxSeconds?: number;
                            delayDefaultSeconds?: number;
                            chainLength?: number;
                            chainTokens?: number;
                            waitDefaultSeconds?: number;
                            waitMaxSeconds?: number;
                            pollMinSeconds?: number;
                            pollMaxSeconds?: number;
                        };
                    };
                    textTokens?: boolean;
                    notify?: {
                        /** Format: uri */
                        url: string;
                        secret?: string;
                        secretEnv?: string;
                        events?: ("question" | "approval" | "blocked" | "paused" | "budget_limited" | "complete")[];
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLedger: {
        parameters: {
            query?: {
                tool?: string;
                outcome?: "succeeded" | "failed" | "refused" | "unknown";
                q?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["LedgerRow"][];
                        nextCursor: string | null;
                        chain?: {
                            holds: boolean;
                            rows: number;
                            sealedFrom: number | null;
                            at?: number;
                            /** @enum {string} */
                            fault?: "edited" | "missing" | "moved" | "added" | "output" | "key";
                            problem?: string;
                        };
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            model: string;
                            isDefault: boolean;
                            isUsable: boolean;
                            problem: string | null;
                        }[];
                        nextCursor: null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            notificationId: string;
                            goalId: string;
                            type: string;
                            createdAt: string;
                            deliveries: {
                                url: string;
                                /** @enum {string} */
                                origin: "goal" | "service";
                                /** @enum {string} */
                                state: "pending" | "delivered" | "given_up";
                                attempts: number;
                                nextAt: string | null;
                                lastStatus: number | null;
                                lastError: string | null;
                                deliveredAt: string | null;
                            }[];
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTurns: {
        parameters: {
            query?: {
                before?: number;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Turn"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: unknown[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            name: string;
                            path: string;
                            host: string;
                            leaseGoalId: string | null;
                            writeSeq: number;
                        }[];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        notificationId: string;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeGoal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    acknowledge?: boolean;
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    /** @enum {string} */
                    delivery?: "pause" | "steer";
                    expectedRevision?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Goal"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        role: "viewer" | "agent" | "operator" | "admin";
                        expiresAt: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                } | {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        role: "viewer" | "agent" | "operator" | "admin";
                        expiresAt: string | null;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        expiresAt: string;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamGoalEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyLedger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        holds: boolean;
                        rows: number;
                        sealedFrom: number | null;
                        at?: number;
                        /** @enum {string} */
                        fault?: "edited" | "missing" | "moved" | "added" | "output" | "key";
                        problem?: string;
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
