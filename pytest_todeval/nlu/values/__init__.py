"""Which values a text tells, in whatever form; and whether they answer what was asked."""
