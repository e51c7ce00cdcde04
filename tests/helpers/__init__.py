"""What tests of several files share. The name of a module says what it makes or holds."""
