"""`/ui`: pages that the server renders; they work without JavaScript, and only one has any."""

from cogmem_serve.pages.routes import page_routes, problem_page

__all__ = ["page_routes", "problem_page"]
