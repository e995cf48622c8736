#!/usr/bin/env node
import { runCommandLine } from '../dist/cli/commands/run-command-line.js';

await runCommandLine();
