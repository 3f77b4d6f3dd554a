"""An IT service desk in the shape of a tau-bench domain, written for this project and shipped."""
