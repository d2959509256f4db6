/* A board of numbers in boxes: arrows move the mark, letters and digits change the number at the mark. */
#include <ncurses.h>
#include <stdlib.h>

enum { ROWS = 5, COLUMNS = 9 };

static unsigned state;

static int chance(int most) {
    state = state * 1103515245u + 12345u;
    return (int)(state >> 16) % most;
}

int main(int count, char **arguments) {
    int board[ROWS][COLUMNS], row = 0, column = 0, moves = 0, key = 0;
    state = (unsigned)atoi(count > 1 ? arguments[1] : "1");
    for (int i = 0; i < ROWS * COLUMNS; i++) board[i / COLUMNS][i % COLUMNS] = chance(100);
    initscr();
    start_color();
    init_pair(1, COLOR_YELLOW, COLOR_BLUE);
    noecho();
    keypad(stdscr, TRUE);
    while (key != 'q') {
        erase();
        box(stdscr, 0, 0);
        mvprintw(0, 2, " Moves: %d ", moves);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            if (board[i / COLUMNS][i % COLUMNS] % 7 == 0) attron(COLOR_PAIR(1) | A_BOLD);
            mvprintw(2 + 4 * (i / COLUMNS), 3 + 8 * (i % COLUMNS), "[ %2d ]", board[i / COLUMNS][i % COLUMNS]);
            attrset(A_NORMAL);
        }
        move(2 + 4 * row, 5 + 8 * column);
        refresh();
        key = getch();
        moves++;
        if (key == KEY_UP) row = (row + ROWS - 1) % ROWS;
        else if (key == KEY_DOWN) row = (row + 1) % ROWS;
        else if (key == KEY_LEFT) column = (column + COLUMNS - 1) % COLUMNS;
        else if (key == KEY_RIGHT) column = (column + 1) % COLUMNS;
        else board[row][column] = (board[row][column] * 3 + key + chance(10)) % 100;
    }
    endwin();
    return 0;
}
