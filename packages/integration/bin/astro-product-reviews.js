#!/usr/bin/env node
import { runCommandLine } from 'product-reviews-cli';

await runCommandLine();
