"""What a text says of bookings: made, refused, offered, taken back; with which number."""
