/* The palace fragment in C: the legal moves are written to an array at each step, one is drawn.
 * README.md has the rules, the generator and the checksum. Usage: palace PLAYERS GAMES; prints the
 * checksum and the seconds. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DISTRICTS = 6, HOUSES = 15, PALACES = 8, BASE_COST = 3, MOST_PALACES = 5, STEPS = 200 };
enum { MOST_PLAYERS = 4, MOST_MOVES = DISTRICTS * 2 + DISTRICTS + DISTRICTS * (DISTRICTS - 1) };
enum { PLACE, BUILD, SHIFT };

typedef uint32_t Move; /* kind, first and second argument, a byte each */

static inline Move pack(int kind, int first, int second)
{
    return (Move)(kind | first << 8 | second << 16);
}

typedef struct {
    int reserve[MOST_PLAYERS], palaces_left[MOST_PLAYERS];
    int houses[MOST_PLAYERS][DISTRICTS], palaces[MOST_PLAYERS][DISTRICTS];
    int built[DISTRICTS]; /* palaces of all players */
} Position;

static int legal_moves(const Position *position, int player, Move *moves)
{
    const int *houses = position->houses[player];
    int count = 0;
    int most = position->reserve[player] < 2 ? position->reserve[player] : 2;
    for (int district = 0; district < DISTRICTS; district++)
        for (int number = 1; number <= most; number++)
            moves[count++] = pack(PLACE, district, number);
    if (position->palaces_left[player] > 0)
        for (int district = 0; district < DISTRICTS; district++)
            if (position->built[district] < MOST_PALACES &&
                houses[district] >= BASE_COST + position->built[district])
                moves[count++] = pack(BUILD, district, 0);
    for (int source = 0; source < DISTRICTS; source++)
        if (houses[source] > 0)
            for (int target = 0; target < DISTRICTS; target++)
                if (target != source)
                    moves[count++] = pack(SHIFT, source, target);
    return count;
}

static void apply(Position *position, int player, Move move)
{
    int *houses = position->houses[player];
    int first = move >> 8 & 255, second = move >> 16;
    switch (move & 255) {
    case PLACE:
        position->reserve[player] -= second;
        houses[first] += second;
        break;
    case BUILD: {
        int cost = BASE_COST + position->built[first];
        houses[first] -= cost;
        position->reserve[player] += cost;
        position->palaces_left[player]--;
        position->palaces[player][first]++;
        position->built[first]++;
        break;
    }
    case SHIFT:
        houses[first]--;
        houses[second]++;
        break;
    }
}

static uint32_t play(int players, int games)
{
    const uint64_t mask = ((uint64_t)1 << 48) - 1;
    uint32_t checksum = 0;
    Move moves[MOST_MOVES];
    for (int seed = 0; seed < games; seed++) {
        uint64_t state = ((uint64_t)seed ^ 0x5DEECE66DULL) & mask;
        Position position;
        memset(&position, 0, sizeof position);
        for (int player = 0; player < players; player++) {
            position.reserve[player] = HOUSES;
            position.palaces_left[player] = PALACES;
        }
        int player = 0;
        for (int step = 0; step < STEPS; step++) {
            int count = legal_moves(&position, player, moves);
            if (count > 0) {
                state = (state * 0x5DEECE66DULL + 0xB) & mask;
                apply(&position, player, moves[(uint32_t)(state >> 17) % (uint32_t)count]);
            }
            if (++player == players)
                player = 0;
        }
        for (int p = 0; p < players; p++)
            checksum = checksum * 1000003u + (uint32_t)position.reserve[p];
        for (int d = 0; d < DISTRICTS; d++)
            for (int p = 0; p < players; p++)
                checksum = checksum * 1000003u + (uint32_t)position.houses[p][d];
        for (int p = 0; p < players; p++)
            checksum = checksum * 1000003u + (uint32_t)position.palaces_left[p];
        for (int d = 0; d < DISTRICTS; d++)
            for (int p = 0; p < players; p++)
                checksum = checksum * 1000003u + (uint32_t)position.palaces[p][d];
    }
    return checksum;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: palace PLAYERS GAMES\n");
        return 2;
    }
    int players = atoi(argv[1]), games = atoi(argv[2]);
    if (players < 1 || players > MOST_PLAYERS || games < 1) {
        fprintf(stderr, "palace: 1 to %d players and at least one game\n", MOST_PLAYERS);
        return 2;
    }
    struct timespec start, stop;
    clock_gettime(CLOCK_MONOTONIC, &start);
    uint32_t checksum = play(players, games);
    clock_gettime(CLOCK_MONOTONIC, &stop);
    printf("%u %.9f\n", checksum,
           (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec));
    return 0;
}
