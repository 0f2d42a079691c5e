"""Text from outside made harmless: secrets, hidden characters, personal data, instruction phrasing."""
