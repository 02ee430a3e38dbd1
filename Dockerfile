FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# 752 MB become 234: no tools, no embedded servers, nothing of other platforms.
RUN npm run build && npm prune --omit=dev && node scripts/slim-modules.mjs node_modules

FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# Commands of goals run as this user. Both folders are there so that volumes on them are its own.
RUN install -d -o node -g node -m 700 /home/node/.local /home/node/.local/share \
  /home/node/.local/share/goalkeeper \
  && install -d -o node -g node /workspace
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
ENTRYPOINT ["node", "/app/dist/src/cli/main.js"]
CMD ["api"]
