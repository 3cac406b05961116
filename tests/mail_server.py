"""A mail server for tests: it speaks enough SMTP to refuse messages and to take them."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.hook_receiver import listening


@dataclass
class MailServer:
    """Answers RCPT with `answers`, one after the other, then takes all; `received` are the messages it took."""

    answers: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    hangs_up: bool = False  # instead of an answer to a message that it has taken
    port: int = 0


@contextmanager
def mail_server() -> Iterator[MailServer]:
    known = MailServer()

    class Handler(socketserver.StreamRequestHandler):
        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        def handle(self) -> None:
            self.say("220 mail.test ready")
            while line := self.rfile.readline().decode().strip():
                verb = line.split()[0].upper()
                if verb == "RCPT" and known.answers:
                    self.say(known.answers.pop(0))
                elif verb == "DATA":
                    self.say("354 go on")
                    if not self.take():
                        return None
                elif verb == "QUIT":
                    return self.say("221 bye")
                else:
                    self.say("250 fine")
            return None

        def take(self) -> bool:
            lines = iter(self.rfile.readline, b".\r\n")
            known.received.append(b"".join(lines).decode())
            if not known.hangs_up:
                self.say("250 taken")
            return not known.hangs_up

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with listening(server) as known.port:
        yield known
