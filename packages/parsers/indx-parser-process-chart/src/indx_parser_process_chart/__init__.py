"""Reads process charts on PowerPoint slides: symbols, what joins them, what frames them."""

from __future__ import annotations

from indx_parser_process_chart.provider import MEDIA_TYPES, ProcessChartParser, parser

__all__ = ["MEDIA_TYPES", "ProcessChartParser", "parser"]
