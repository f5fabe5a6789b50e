// Style sheets may be imported: the bundler turns them into files beside the script.

declare module '*.css';
