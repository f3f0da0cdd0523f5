"""A MIME message or mailbox as linked data (RFC 2392)."""

from cturi_rdf.rdf.message.describe import MessageParser, describe_mailbox, describe_message
from cturi_rdf.rdf.message.headers import EntityHeader, message_headers

__all__ = [
    "EntityHeader",
    "MessageParser",
    "describe_mailbox",
    "describe_message",
    "message_headers",
]
