"""A MIME message or mailbox as linked data (RFC 2392)."""

from cturi_rdf.rdf.message.describe import MessageParser, describe_mailbox, describe_message

__all__ = ["MessageParser", "describe_mailbox", "describe_message"]
