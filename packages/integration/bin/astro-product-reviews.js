#!/usr/bin/env node
import { runCommandLine } from '../dist/cli/command-line.js';

await runCommandLine();
