"""The classic notebook as a person uses it: nbclassic."""

from __future__ import annotations

from front_end import PATIENCE_MS, FrontEnd


class Classic(FrontEnd):
    """One browser page with nbclassic and one notebook."""

    CELL = "#notebook-container > .cell"
    PROMPT = ".prompt.input_prompt"
    OUTPUT = ".output_area > .output_subarea"
    STDOUT = ".output_subarea.output_stdout"

    def address(self, notebook: str) -> str:
        return self.server.address(f"nbclassic/notebooks/{notebook}")

    def wait_idle(self) -> None:
        self.page.wait_for_function(
            """() => {
                const prompts = [...document.querySelectorAll('.input_prompt')];
                const notebook = window.Jupyter?.notebook;
                return notebook?.kernel?.is_connected() && !notebook.kernel_busy
                    && !prompts.some(p => p.textContent.includes('[*]'));
            }""",
            timeout=2 * PATIENCE_MS,
        )

    def save(self) -> None:
        self.page.evaluate("() => window.Jupyter.notebook.save_notebook()")

    def put(self, code: str) -> int:
        self.wait_idle()
        return self.page.evaluate(
            """code => {
                const notebook = window.Jupyter.notebook;
                const last = notebook.ncells();
                notebook.insert_cell_at_bottom('code').set_text(code);
                notebook.execute_cells([last]);
                return last;
            }""",
            code,
        )

    def run_all(self) -> None:
        self.page.locator("#celllink").click()
        self.page.locator("#run_all_cells").click()

    def interrupt(self) -> None:
        self.page.locator('[data-jupyter-action="jupyter-notebook:interrupt-kernel"]').first.click()
