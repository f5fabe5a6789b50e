import './page.css';
