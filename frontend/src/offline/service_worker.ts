/* The service worker of the judging pages: bound to the browser's events here, its answers are the keeper's. */

import { forgetExpired } from "./stored_pages";
import { OfflinePages, type PageRequest } from "./offline_pages";

/** The types of workers that are used here; the whole library conflicts with that of pages. */
interface WorkerEvent extends MessageEvent<PageRequest> {
  waitUntil(work: Promise<unknown>): void;
  addRoutes?(rules: { condition: { urlPattern: string }; source: "network" }[]): Promise<void>;
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate" | "fetch" | "message", listener: (event: WorkerEvent) => void): void;
}

const worker = self as unknown as Worker;
const pages = new OfflinePages();

worker.addEventListener("install", (event) => {
  void worker.skipWaiting();
  // In browsers that can, requests of the judging page do not wait for this script to start.
  const routed = event.addRoutes?.([{ condition: { urlPattern: "/api/*" }, source: "network" }]);
  event.waitUntil(Promise.resolve(routed).catch(() => undefined));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([worker.clients.claim(), forgetExpired()]));
});

worker.addEventListener("fetch", (event) => {
  const answer = pages.answer(event.request);
  if (answer) event.respondWith(answer);
});

worker.addEventListener("message", (event) => {
  event.waitUntil(pages.handle(event.data).then((result) => event.ports[0]?.postMessage(result)));
});
