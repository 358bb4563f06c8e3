// Preloaded into servers of others that would listen on every interface: here they listen on loopback only.
import { Server } from "node:net";

const listen = Server.prototype.listen;
Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((argument) => typeof argument === "function");
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, callback);
};
